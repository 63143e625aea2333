import { access, passwords, sessions } from './asvs-identity.ts'
import type { Requirement } from './asvs-requirement.ts'

const identity = (name: string) => `api/src/identity/${name}.test.ts`
const engine = (name: string) => `api/src/jsonapi/${name}.test.ts`
const http = (name: string) => `api/src/http/${name}.test.ts`
const resources = (name: string) => `api/src/resources/${name}.test.ts`
const whole = (name: string) => `api/test/${name}.test.ts`
const files = 'api/src/tickets/files/files.routes.test.ts'
const asvs = whole('asvs')

const injection: readonly Requirement[] = [
  {
    ids: '1.2.1',
    requirement: 'Output is encoded for HTML and for headers',
    shown: [
      ['web/src/ui/markdown.test.tsx', '%j makes no element but those of text and links'],
      ['api/src/notifications/letters/render.test.ts', 'what a person typed stays text'],
    ],
  },
  {
    ids: '1.2.4',
    requirement: 'SQL is parameterised',
    shown: [
      [engine('bad-input'), 'SQL in %s is a 400'],
      [engine('bad-input'), 'SQL and patterns in a search are a text to be searched for'],
    ],
  },
  {
    ids: '1.2.5',
    requirement: 'No command of the operating system is made from input',
    shown: [[asvs, 'no program is started but those of the installation itself']],
  },
  {
    ids: '1.2.9',
    requirement: 'Characters of patterns are text in a search',
    shown: [
      [asvs, 'a search for %j is a text that is looked for, and is answered at once'],
      [engine('bad-input'), 'SQL and patterns in a search are a text to be searched for'],
    ],
  },
  {
    ids: '1.3.1, 1.3.5',
    requirement: 'Markdown of tickets runs nothing',
    shown: [
      ['web/src/ui/markdown.test.tsx', '%j makes no element but those of text and links'],
      [whole('ticket-mail'), 'markup is kept as text'],
    ],
  },
  {
    ids: '1.3.6',
    requirement: 'Addresses that people give are never fetched, and none inside is reached',
    shown: [
      [asvs, 'only doors to the outside ask other hosts, and none of them an address of a person'],
      ['api/src/platform/egress.test.ts', 'what the operator names is let through, and nothing beside it'],
      ['api/src/workspaces/engines/http-engine.test.ts', 'this machine and its networks are not reached'],
    ],
  },
  {
    ids: '1.3.11',
    requirement: 'Nothing becomes a header or a recipient of mail',
    shown: [
      [
        'api/src/platform/mail/transport/smtp-mailer.test.ts',
        'nothing hostile becomes a header or a recipient',
      ],
    ],
  },
  {
    ids: '1.4.2',
    requirement: 'Numbers that are too large are refused',
    shown: [[asvs, 'a number that is too large is refused, or finds nothing: %s']],
  },
  {
    ids: '1.5.2',
    requirement: 'Documents are read safely',
    shown: [
      [engine('bad-input'), 'a member %s reaches nothing'],
      [engine('fuzz'), 'requests of every kind were sent'],
    ],
  },
]

const logic: readonly Requirement[] = [
  {
    ids: '2.2.1, 2.2.2',
    requirement: 'What comes in is checked on the server, by what is allowed',
    shown: [
      [engine('write'), 'every fault of a document is told at once, each with its place'],
      ['api/src/platform/openapi/document.test.ts', 'every example is what its schema allows'],
    ],
  },
  {
    ids: '2.2.3',
    requirement: 'What belongs together is checked together',
    shown: [
      [resources('account'), 'an address names a country and a county that belong together'],
      [resources('register-details'), 'a county of another country is refused'],
    ],
  },
  {
    ids: '2.3.1',
    requirement: 'Steps are taken in their order',
    shown: [
      [identity('walls'), '%s is closed until the e-mail is confirmed'],
      [resources('share-invitations'), 'the ladder of accepting: 401, 404, 422, another address'],
    ],
  },
  {
    ids: '2.3.3',
    requirement: 'A transaction is whole or is not',
    shown: [
      [identity('registration'), 'when any part of it fails nothing of it stays'],
      [engine('transact'), 'what never comes to pass is given up, and nothing of it is left'],
    ],
  },
  {
    ids: '2.3.4',
    requirement: 'What is limited cannot be used twice',
    shown: [
      ['api/src/money/ledger/verbs.test.ts', 'of four refunds at once of all that is left, one is made'],
      ['api/src/money/ledger/verbs.test.ts', 'of 500 transactions over 80 accounts'],
    ],
  },
  {
    ids: '2.4.1',
    requirement: 'Programs cannot do by the thousand what a person does now and then',
    shown: [
      [http('limits'), 'every answer says what is left, and a 429 when to come back'],
      [resources('tickets'), 'more than five in a minute are too many'],
    ],
  },
]

const web: readonly Requirement[] = [
  {
    ids: '3.2.1',
    requirement: 'Files and data are never shown as pages',
    shown: [
      [files, 'a file goes up, is seen by its uploader alone, and comes down harmless'],
      [asvs, 'every answer carries what keeps a browser from misusing it: %s'],
    ],
  },
  {
    ids: '3.3.1',
    requirement: 'Cookies are secure under https',
    shown: [[identity('sign-in'), 'under https the cookies are secure, and shared across the parent domain']],
  },
  {
    ids: '3.3.2',
    requirement: 'Cookies are SameSite',
    shown: [[identity('sign-in'), 'e-mail and password lead through the callback to tokens, cookies']],
  },
  {
    ids: '3.3.4',
    requirement: 'The token of the session is HttpOnly',
    shown: [
      [identity('refresh'), 'a token of the cookie does not leave in a body, whatever a script asks for'],
      [identity('sign-in'), 'e-mail and password lead through the callback to tokens, cookies'],
    ],
  },
  {
    ids: '3.4.1',
    requirement: 'HSTS for a year, subdomains too',
    shown: [[asvs, 'every answer carries what keeps a browser from misusing it: %s']],
  },
  {
    ids: '3.4.2',
    requirement: 'No other origin reads or sends anything',
    shown: [[http('compression'), 'no other origin may read or send anything']],
  },
  {
    ids: '3.4.3',
    requirement: 'A policy without unsafe-inline for scripts, without objects and base',
    shown: [
      [http('web'), 'a document may run our scripts and nothing else, and says so once'],
      [
        'api/src/platform/openapi/plugin.test.ts',
        'anybody reads the page, which names every type and runs no script',
      ],
    ],
  },
  {
    ids: '3.4.4',
    requirement: 'nosniff everywhere',
    shown: [[asvs, 'every answer carries what keeps a browser from misusing it: %s']],
  },
  {
    ids: '3.4.5',
    requirement: 'A referrer policy',
    shown: [[asvs, 'every answer carries what keeps a browser from misusing it: %s']],
  },
  {
    ids: '3.4.6',
    requirement: 'Nothing is shown in a frame of others',
    shown: [[asvs, 'every answer carries what keeps a browser from misusing it: %s']],
  },
  {
    ids: '3.5.1, 3.5.2',
    requirement: 'No simple request of a foreign page changes anything',
    shown: [
      [identity('sign-in'), 'other media than JSON is refused, which keeps the forms of foreign pages out'],
      [identity('sign-in'), 'signing out needs the bearer header: cookies alone'],
    ],
  },
  {
    ids: '3.5.3',
    requirement: 'GET changes nothing',
    shown: [[engine('actions'), 'a GET cannot write: it is a bug of ours, answered 500']],
  },
  {
    ids: '3.7.2',
    requirement: 'No redirect leads elsewhere',
    shown: [
      [
        identity('sign-in'),
        'a callback without a code is told which parameter is missing, and nothing in it redirects',
      ],
      [
        'api/src/notifications/letters/render.test.ts',
        'a link that leads elsewhere is a bug, and is not sent',
      ],
    ],
  },
]

const api: readonly Requirement[] = [
  {
    ids: '4.1.1',
    requirement: 'The media type and its charset are true',
    shown: [[asvs, 'every answer carries what keeps a browser from misusing it: %s']],
  },
  {
    ids: '4.1.3',
    requirement: 'Headers of proxies cannot be forged',
    shown: [
      [
        http('limits'),
        'somebody unknown is limited by address, an invented token or X-Forwarded-For does not help',
      ],
      [identity('api-keys'), 'is believed of its address only what a trusted proxy says'],
    ],
  },
  {
    ids: '4.2.1',
    requirement: 'No request hides in another',
    shown: [
      [whole('sockets'), '%s: one JSON:API answer, and the connection is closed'],
      [asvs, 'a request that hides another is refused, once: %s'],
    ],
  },
  {
    ids: '4.3.1',
    requirement: 'Queries have a depth and a number that they may not pass',
    shown: [
      [asvs, 'a query that asks for too much is refused at once: %s'],
      [engine('bad-input'), 'of very many faults the first are told'],
    ],
  },
  {
    ids: '5.2.1',
    requirement: 'Files have a size that is looked at before memory is used',
    shown: [
      [files, 'a body that never ends is let go at the limit, and memory does not grow with it'],
      [files, 'an empty one, and one that is too large, whether it says so or not'],
    ],
  },
  {
    ids: '5.2.2',
    requirement: 'A file is what its extension says',
    shown: [[files, 'hostile contents are refused, and nothing of them is kept']],
  },
  {
    ids: '5.2.3',
    requirement: 'Archives are not unpacked, and bodies not inflated',
    shown: [
      [http('compression'), 'a body that is compressed is refused, so that no bomb can be sent'],
      [asvs, 'nothing that people send is unpacked'],
    ],
  },
  {
    ids: '5.3.1, 5.3.2',
    requirement: 'Files are not run, and their names are no paths',
    shown: [
      [files, 'are never paths, and break no header'],
      [files, 'a file goes up, is seen by its uploader alone, and comes down harmless'],
    ],
  },
  {
    ids: '5.4.1, 5.4.2',
    requirement: 'Names of files are encoded in answers',
    shown: [[files, 'are never paths, and break no header']],
  },
  {
    ids: '5.4.3',
    requirement: 'Files are looked into for malware',
    shown: [[files, 'keeps what is clean, refuses what is not, and while it is away nothing is taken']],
  },
]

/** The 64 lines of level 1 and 2 that concern such a portal most. */
export const requirements: readonly Requirement[] = [
  ...injection,
  ...logic,
  ...web,
  ...api,
  ...passwords,
  ...sessions,
  ...access,
]
