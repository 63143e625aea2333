// Apart from their schemas, so that a page that downloads a file does not carry the library that checks forms.

/** Under /api/v1. The bytes of a file go up as a body of their own, and come down so. */
export const fileLocation = {
  /** POST with `filename` in the query; answers the resource of type `ticket-files`. */
  upload: '/ticket-files/-actions/upload',
  /** GET. */
  download: '/ticket-files/:id/-actions/download',
} as const

/** Under /api/v1: the files of documents, as they were made once. 409 `not_ready` until then. */
export const invoiceFileLocation = {
  /** GET; a PDF. */
  download: '/invoices/:id/-actions/download',
  /** GET; an electronic invoice by EN 16931, in UBL. */
  xml: '/invoices/:id/-actions/xml',
  /** POST with an `archiveRequest`; a ZIP of at most 200 files, which begins to arrive at once. */
  archive: '/invoices/-actions/downloadArchive',
} as const
