import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { Fragment, type ReactNode, useMemo } from 'react'
import classes from './markdown.module.css'

type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]
type Definition = Extract<Nodes, { type: 'definition' }>

/** Allowed link targets: absolute addresses with a visible host. */
function safeUrl(text: string): string | undefined {
  const url = URL.parse(text)
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}

// The maximum depth of nested quotes: deeper nesting is an attack and would crash the page.
const deepest = 20

type Reading = { source: string; definitions: ReadonlyMap<string, string> }

/** The source text of a node, shown where the node itself is not allowed. */
const literally = ({ position }: Nodes, { source }: Reading): string =>
  position ? source.slice(position.start.offset, position.end.offset) : ''

function Outward({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} title={to} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** Elements of a known kind, and text; HTML is never rendered. */
function render(node: Nodes, reading: Reading, depth: number): ReactNode {
  const inner = () =>
    'children' in node
      ? node.children.map((child, at) => (
          // The tree of a text never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: as said.
          <Fragment key={at}>{render(child, reading, depth + 1)}</Fragment>
        ))
      : null
  const link = (url: string | undefined, said: ReactNode) => {
    const to = url === undefined ? undefined : safeUrl(url)
    return to === undefined ? literally(node, reading) : <Outward to={to}>{said}</Outward>
  }
  if (depth > deepest) return literally(node, reading)
  switch (node.type) {
    case 'root':
      return inner()
    case 'paragraph':
      return <p>{inner()}</p>
    case 'heading':
      return <p className={classes.heading}>{inner()}</p>
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inner()}</ol> : <ul>{inner()}</ul>
    case 'listItem':
      return <li>{inner()}</li>
    case 'emphasis':
      return <em>{inner()}</em>
    case 'strong':
      return <strong>{inner()}</strong>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keyboard.
        <pre tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'link':
      return link(node.url, inner())
    case 'linkReference':
      return link(reading.definitions.get(node.identifier), inner())
    // An external picture would reveal to its host who reads this, and when.
    case 'image':
      return link(node.url, node.alt || node.url)
    case 'imageReference':
      return link(reading.definitions.get(node.identifier), node.alt)
    case 'definition':
      return null
    case 'text':
      return node.value
    // HTML is shown as the text that was typed.
    case 'html':
      return depth === 1 ? <p>{node.value}</p> : node.value
    default:
      return literally(node, reading)
  }
}

const definitionsOf = ({ children }: Root) =>
  new Map(
    children
      .filter((node): node is Definition => node.type === 'definition')
      .toReversed()
      .map(({ identifier, url }) => [identifier, url]),
  )

// Longer texts are logs, and shown unformatted.
const longest = 10_000
// Matching emphasis marks takes quadratic time in their number; no real text has so many.
const mostMarks = 1_000
const marks = /[*_`[\]<]/g
// Quotes that open in each other on one line recurse in the parser.
const tangled = new RegExp(`^(?:[ \\t]*(?:>|[-*+][ \\t]|\\d{1,9}[.)][ \\t])){${deepest}}`, 'm')

const isPlain = (source: string): boolean =>
  source.length > longest || (source.match(marks)?.length ?? 0) > mostMarks || tangled.test(source)

function read(source: string): ReactNode {
  if (isPlain(source)) return <p>{source}</p>
  const tree = fromMarkdown(source, {
    extensions: [gfmAutolinkLiteral()],
    mdastExtensions: [gfmAutolinkLiteralFromMarkdown()],
  })
  return render(tree, { source, definitions: definitionsOf(tree) }, 0)
}

/** Markdown from untrusted authors: HTML becomes text, pictures become links, and links show their target. */
export function Markdown({ source }: { source: string }) {
  const content = useMemo(() => read(source), [source])
  return <div className={classes.markdown}>{content}</div>
}
