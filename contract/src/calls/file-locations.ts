// Separate from the schemas, so that a page that downloads a file does not load the validation library.

/** Under /api/v1. The bytes of a file are the whole body of the upload and of the download. */
export const fileLocation = {
  /** POST with `filename` in the query; returns a resource of type `ticket-files`. */
  upload: '/ticket-files/-actions/upload',
  /** GET. */
  download: '/ticket-files/:id/-actions/download',
} as const

/** Under /api/v1: the files of documents, generated once. 409 `not_ready` until then. */
export const invoiceFileLocation = {
  /** GET; a PDF. */
  download: '/invoices/:id/-actions/download',
  /** GET; an electronic invoice (EN 16931, UBL). */
  xml: '/invoices/:id/-actions/xml',
  /** GET; a ZIP with the electronic invoice as the tax office signed it. */
  signed: '/invoices/:id/-actions/signed',
  /** POST with an `archiveBody`; a ZIP of at most 200 files, streamed while it is written. */
  archive: '/invoices/-actions/downloadArchive',
} as const

/** Under /api/v1: files that staff export. */
export const deskFileLocation = {
  /** GET; CSV, streamed while it is read. */
  clients: '/client-exports/:id/-actions/download',
  /** GET; a ZIP. */
  documents: '/document-archives/:id/-actions/download',
} as const

/** Under /api/v1: files for the accounts. */
export const accountingExportLocation = {
  /** GET; CSV, streamed while it is read. */
  download: '/accounting-exports/:id/-actions/download',
} as const
