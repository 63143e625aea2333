import { inFolders, type Rule } from './rule.ts'

const home = 'api/src/platform/db/settings.ts'
const setting = /\bportico\.(action|staff)\b/
const detail = `Take it from ${home}, which alone says in which settings the database finds who writes and why.`

export const staffSettingsHaveOneHome: Rule = {
  name: 'one home of the settings of staff',
  on: (file) => inFolders(/^api\/src\//)(file) && file !== home,
  visit: (_, report) => ({
    TemplateElement(node) {
      if (setting.test(node.value.raw)) report(node, detail)
    },
    Literal(node) {
      if (typeof node.value === 'string' && setting.test(node.value)) report(node, detail)
    },
  }),
}
