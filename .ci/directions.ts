import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

// Which folder may import which. The lists name folders, never features: a new file in a room needs no line
// here.

const tests = '(^api/test/|[.]test[.]tsx?$|[.]spec[.]ts$)'
const ours = '^(contract|api|web|e2e|engines|bench|[.]ci)/'
const named = (folder: string) => folder.replace('/src', '').replaceAll('/', '-')

/** The rooms of the server, from the lowest to the highest. A room imports itself and the rooms to its left. */
export const rooms = [
  'config',
  'platform',
  'notifications',
  'reference',
  'staff',
  'sharing',
  'workspaces',
  'usage',
  'money',
  'tickets',
  'accounts',
  'identity',
  'privacy',
  'desk',
  'demo',
] as const

/** They assemble the rooms, so they import all of them; nothing imports these two. */
export const tops = ['start', 'commands'] as const

const inRooms = (names: readonly string[]) => `^api/src/(${names.join('|')})/`

/** A room imports no room to its right. */
const upwards = rooms.map(
  (room, index): IForbiddenRuleType => ({
    name: `api-${room}-imports-downwards`,
    comment: `Rooms below it: ${rooms.slice(0, index).join(', ') || 'none'}. Hand the thing in, move it down, or name a port.`,
    severity: 'error',
    from: { path: inRooms([room]), pathNot: tests },
    to: { path: inRooms([...rooms.slice(index + 1), ...tops]) },
  }),
)

/** `folder` imports only itself and `may`. Its tests may import more for their setup. */
const only = (folder: string, may: string[], reason: string): IForbiddenRuleType => ({
  name: `${named(folder)}-knows-only`,
  comment: reason,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: tests },
  to: { path: ours, pathNot: [`^${folder}/`, ...may] },
})

/** Like `only`, and imports no packages except these. */
const pure = (folder: string, may: string[], reason: string): IForbiddenRuleType => ({
  name: `${named(folder)}-is-pure`,
  comment: reason,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: tests },
  to: { pathNot: [`^${folder}/`, ...may] },
})

const contract = '^contract/src/'
const platform = (...parts: string[]) => parts.map((part) => `^api/src/platform/${part}`)
const web = (...folders: string[]) => folders.map((folder) => `^web/src/${folder}/`)
const href = '^web/src/(routes|paths)[.]ts$'

/** Read by dependency-cruiser, and by the test that shows each rule to fail. */
const directions = {
  forbidden: [
    pure(
      'contract/src',
      ['(^|/)node_modules/zod/mini/'],
      'Both sides load it, so it holds declarations and pure decisions.',
    ),

    ...upwards,
    pure('api/src/platform/errors', ['^contract/src/refusals/'], 'Every folder throws a Problem.'),
    only(
      'api/src/money/ledger',
      platform('db/', 'errors/', 'jobs/enqueue', 'business-clock'),
      'The ledger knows nothing of what it is posted for.',
    ),
    {
      name: 'api-bindings-write-no-statements',
      comment: 'A binding says what; statements belong to the engine and to verbs.',
      severity: 'error',
      from: { path: '^api/src/.*[.]resource[.]ts$' },
      to: { path: '^api/src/platform/db/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'api-providers-are-handed-in',
      comment: 'A verb is handed its provider of payments, so that a test can hand it another.',
      severity: 'error',
      from: {
        path: inRooms(rooms),
        pathNot: [tests, '^api/src/money/payments/providers/', '^api/src/demo/', '[.](routes|jobs)[.]ts$'],
      },
      to: {
        path: '^api/src/money/payments/providers/(stripe|sandbox)/',
        dependencyTypesNot: ['type-only'],
      },
    },

    pure('web/src/texts', [], 'Words know nothing.'),
    {
      name: 'web-ui-knows-nothing-of-us',
      comment: 'It is what the component library lacks, and could be published as it is.',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: tests },
      to: { path: ours, pathNot: '^web/src/ui/' },
    },
    only(
      'web/src/stores',
      [contract, ...web('texts')],
      'The few global things; one tells the texts their language.',
    ),
    only('web/src/api', [contract, ...web('stores')], 'The typed client, and the token that it renews.'),
    only(
      'web/src/components',
      [contract, ...web('ui', 'api', 'stores', 'texts'), href],
      'Components know our words, and no screen.',
    ),
    only(
      'web/src/screens',
      [contract, ...web('components', 'ui', 'api', 'stores', 'texts'), href],
      'A screen stands on all that is below it, and is loaded by its route.',
    ),
    {
      name: 'web-desk-knows-only',
      comment:
        'The desk is another app on the same components; the pages of the portal would come with their table.',
      severity: 'error',
      from: { path: '^web/src/desk/', pathNot: tests },
      to: {
        path: ours,
        pathNot: [
          '^web/src/desk/',
          contract,
          ...web('components', 'ui', 'api', 'stores', 'texts'),
          '^web/src/(app[.]tsx|route[.]ts)$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-nothing-knows-the-desk',
      comment: 'It is built by itself, so that no file of a customer changes with it.',
      severity: 'error',
      from: { path: '^(?!web/src/desk/|e2e/)', pathNot: tests },
      to: { path: '^web/src/desk/' },
    },
    {
      name: 'no-screen-knows-another',
      comment: 'What two screens share is a component.',
      severity: 'error',
      from: { path: '^web/src/screens/((?:(?:registration|sharing)/)?[^/.]+)' },
      to: { path: '^web/src/screens/', pathNot: '^web/src/screens/$1[./]' },
    },
    {
      name: 'screens-are-loaded-lazily',
      comment: 'A screen that is imported at once is paid for by every visitor.',
      severity: 'error',
      from: { path: '^web/', pathNot: ['^web/src/screens/', tests] },
      to: {
        path: '^web/src/screens/',
        // The error page must be loaded before a screen fails to load.
        pathNot: '^web/src/screens/(error|not-found)[.]tsx$',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },

    {
      name: 'never-sideways',
      comment: 'The browser and the server meet in the contract, and nowhere else.',
      severity: 'error',
      from: { path: '^(api|web)/' },
      to: { path: ours, pathNot: ['^contract/src/', '^$1/'] },
    },
    {
      name: 'e2e-knows-only-links-and-words',
      comment: 'The browser tests see the portal as a person does.',
      severity: 'error',
      from: { path: '^e2e/' },
      to: {
        path: ours,
        pathNot: ['^e2e/', href, '^web/src/desk/routes[.]ts$', '^web/src/texts/', '^contract/src/refusals/'],
      },
    },
    only('engines/example', [], 'An engine is another program: it has the contract as a text alone.'),
    only(
      'engines/debian',
      ['^engines/example/signature[.]ts$'],
      'An engine is another program: it shares the signing of messages and nothing else.',
    ),
    only(
      'engines/check',
      [contract, '^engines/example/signature[.]ts$'],
      'It asks an engine as the portal does.',
    ),
    {
      name: 'sources-never-know-tests',
      comment: 'What only tests use lives in test support, and is not shipped.',
      severity: 'error',
      from: { path: '^(contract|api|web)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-cycles',
      // A route loads its screen only when it is opened, so a dynamic import is no cycle although the screen
      // links to routes.
      comment: 'Two files that need each other are one file, or want a third.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'no-orphans',
      comment: 'What nothing imports, and imports nothing, is dead.',
      severity: 'error',
      from: { orphan: true, pathNot: [tests, '[.]config[.]ts$', '[.]d[.]ts$', '[.]mjs$', '^web/tools/'] },
      to: {},
    },
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: 'texts/compiled/|^virtual:' },
    },
    {
      name: 'packages-are-declared',
      comment: 'A package that happens to be installed is gone tomorrow.',
      severity: 'error',
      from: { path: '^(contract|api|web)/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-server-needs-no-tools',
      comment:
        'A package of development is not installed where the server runs; those of the browser app are built in.',
      severity: 'error',
      from: { path: '^(contract|api)/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // TypeScript 7 has no parser API; swc parses the sources, including type imports.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data|\\.cache|shots|coverage|test-results)/|^web/src/texts/compiled/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.json', '.css'],
    },
  },
} satisfies IConfiguration

export default directions
