import { crc32, deflateRawSync } from 'node:zlib'
import { readXml, textAt } from '#money/tax-office/anaf/xml.ts'
import { escaped } from '#platform/escape.ts'

/** The fields of an upload that the office reads. */
export type StandInDocument = {
  readonly number: string
  readonly cif: string
  readonly standard: 'UBL' | 'CN'
  /** The buyer’s reference. */
  readonly order: string | null
}

export type StandInUpload = {
  readonly index: string
  readonly cif: string
  readonly at: number
  readonly environment: string
  readonly isNok: boolean
  readonly document: StandInDocument
  readonly xml: string
}

/** The document of an upload; undefined for one that is no electronic invoice. */
export function documentOf(body: Buffer): StandInDocument | undefined {
  const text = body.toString('utf8')
  const elements = (() => {
    try {
      return readXml(text)
    } catch {
      return []
    }
  })()
  const [root] = elements
  const number = textAt(elements, 'Invoice/ID', 'CreditNote/ID')
  const order = textAt(elements, 'Invoice/OrderReference/ID', 'CreditNote/OrderReference/ID') ?? null
  // The seller’s tax number, which stands deeper than what is read otherwise.
  const [, cif] = /<cac:AccountingSupplierParty>.*?<cbc:CompanyID[^>]*>(?:RO)?(\d+)</s.exec(text) ?? []
  if (root === undefined || number === undefined || cif === undefined) return undefined
  return { number, cif, order, standard: root.path === 'CreditNote' ? 'CN' : 'UBL' }
}

type Attributes = Readonly<Record<string, string>>

const element = (name: string, attributes: Attributes, inside = ''): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}>${inside}</${name}>`

/** An answer as the office gives it, with a reason or without. */
export const headerXml = (attributes: Attributes, said?: string): string =>
  element(
    'header',
    { xmlns: 'mfp:anaf:dgti:spv:respUploadFisier:v1', ...attributes },
    said === undefined ? '' : element('Errors', { errorMessage: said }),
  )

/** The reasons against a document. */
export const errorsXml = ({ index, cif, document }: StandInUpload): string =>
  element(
    'header',
    { xmlns: 'mfp:anaf:dgti:efactura:mesajEroriFactuta:v1', Index_incarcare: index, Cif_emitent: cif },
    element('Error', { errorMessage: `BR-RO-120: documentul ${document.number} nu respecta CIUS-RO` }),
  )

const signature =
  '<?xml version="1.0"?><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignatureValue>c3RhbmQtaW4=</SignatureValue></Signature>'

type Packed = { readonly local: Buffer; readonly directory: Buffer }

function packed(name: string, text: string, at: number): Packed {
  const content = Buffer.from(text)
  const bytes = deflateRawSync(content)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(bytes.length, 14)
  common.writeUInt32LE(content.length, 18)
  common.writeUInt16LE(name.length, 22)
  const place = Buffer.alloc(14)
  place.writeUInt32LE(at, 10)
  const title = Buffer.from(name)
  return {
    local: Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, title, bytes]),
    directory: Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, place, title]),
  }
}

/** The archive of a document with the ministry’s signature. */
export function signedZip(index: string, content: string): Buffer {
  const first = packed(`${index}.xml`, content, 0)
  const second = packed(`semnatura_${index}.xml`, signature, first.local.length)
  const directory = Buffer.concat([first.directory, second.directory])
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(2, 8)
  end.writeUInt16LE(2, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(first.local.length + second.local.length, 16)
  return Buffer.concat([first.local, second.local, directory, end])
}
