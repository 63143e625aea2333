import { inFolders, type Rule } from './rule.ts'

const detail =
  'Name the columns, or take them from `columns`: a migration that adds one breaks the prepared statement.'

/** Whether a statement returns `*`. One inside parentheses is resolved by the statement around it. */
function answersWithStar(text: string): boolean {
  let outer = text
  for (let before = ''; before !== outer; ) {
    before = outer
    outer = outer.replaceAll(/\([^()]*\)/g, ' ')
  }
  return /\b(select|returning)\b((?!\bfrom\b)[\s\S])*?[\s,.]\*\s*(,|$|\bfrom\b)/i.test(outer)
}

export const columnsAreNamed: Rule = {
  name: 'columns are named',
  on: inFolders(/^api\/src\//),
  visit: (_, report) => ({
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (['selectAll', 'returningAll'].includes(callee.property.name)) report(callee.property, detail)
    },
    TemplateLiteral(node) {
      if (answersWithStar(node.quasis.map(({ value }) => value.raw).join('x'))) report(node, detail)
    },
    Literal(node) {
      if (typeof node.value === 'string' && answersWithStar(node.value)) report(node, detail)
    },
  }),
}
