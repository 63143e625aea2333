import { createRequire } from 'node:module'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import * as z from 'zod/mini'
import { type DocumentLogo, documentData, documentLogo } from './document.ts'
import { pdfDocument } from './pdf/pdf-document.ts'

// Runs in its own thread, which ends when idle: rendering takes time and some forty megabytes.

const fonts = path.join(
  path.dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')),
  'fonts/Roboto',
)
const font = (name: string) => path.join(fonts, `Roboto-${name}.ttf`)

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((file) => path.resolve(file).startsWith(fonts + path.sep))
pdfmake.setFonts({
  Roboto: {
    normal: font('Regular'),
    bold: font('Medium'),
    italics: font('Italic'),
    bolditalics: font('MediumItalic'),
  },
})

const order = z.object({ id: z.int(), data: documentData, logo: documentLogo })

parentPort?.on('message', async (message: unknown) => {
  const { id, data, logo } = z.parse(order, message)
  const render = (shown: DocumentLogo) => pdfmake.createPdf(pdfDocument(data, shown)).getBuffer()
  const made = await render(logo)
    .catch((error: unknown) => {
      // A document is needed more than the image on it.
      if (logo === null || typeof logo === 'string') throw error
      return render(null)
    })
    .then(
      (pdf) => ({ id, pdf: new Uint8Array(pdf) }),
      (error: unknown) => ({ id, error: String(error) }),
    )
  parentPort?.postMessage(made)
})
