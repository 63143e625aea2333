import type { Requirement } from './asvs-requirement.ts'

const identity = (name: string) => `api/src/identity/${name}.test.ts`
const engine = (name: string) => `api/src/jsonapi/${name}.test.ts`
const http = (name: string) => `api/src/http/${name}.test.ts`
const whole = (name: string) => `api/test/${name}.test.ts`
const asvs = whole('asvs')

export const passwords: readonly Requirement[] = [
  {
    ids: '6.2.1, 6.2.9',
    requirement: 'Passwords are long enough, and may be very long',
    shown: [
      [identity('password'), 'a weak password leaves the link as good as it was'],
      [identity('password'), 'a long password of any characters counts to its last one'],
    ],
  },
  {
    ids: '6.2.4, 6.2.12',
    requirement: 'Common passwords are refused',
    shown: [
      [
        identity('password-strength'),
        'of the 49,000 most common passwords, those that are long enough are refused',
      ],
    ],
  },
  {
    ids: '6.2.5, 6.2.8',
    requirement: 'Any characters, and none is cut off',
    shown: [
      [identity('password'), 'a long password of any characters counts to its last one'],
      [identity('sign-in'), 'a password of any characters is compared, not stumbled over'],
    ],
  },
  {
    ids: '6.2.2, 6.2.3',
    requirement: 'A change asks for the current password',
    shown: [[identity('password'), 'changing the password needs the current one, which cannot be guessed']],
  },
  {
    ids: '6.3.1',
    requirement: 'Guessing is slowed down, whoever and wherever',
    shown: [
      [identity('brute-force'), 'one address gets fifty wrong passwords over all accounts'],
      [identity('throttle'), 'forty tries at the same moment: ten are let through'],
      [identity('devices'), 'a flood over all accounts thins out what strangers may try'],
    ],
  },
  {
    ids: '6.3.2',
    requirement: 'There are no accounts that everybody knows',
    shown: [
      [asvs, 'an installation begins without any account'],
      [identity('sign-in'), "a demo tells its accounts, another installation nobody's"],
    ],
  },
  {
    ids: '6.3.4',
    requirement: 'Every way in is as strong as the others',
    shown: [
      [identity('google'), 'the second step is asked for after Google too'],
      [asvs, 'a key does not stand in for a confirmed e-mail'],
    ],
  },
  {
    ids: '6.4.1, 6.4.3',
    requirement: 'A reset works once, not for long, and skips no second step',
    shown: [
      [identity('password'), 'a reset link works once, however many follow it at the same moment'],
      [identity('password'), 'a reset does not skip the second factor'],
    ],
  },
  {
    ids: '6.5.1',
    requirement: 'Codes and links work once',
    shown: [
      [identity('two-factor'), 'of twenty sign-ins with one code at the same moment, one succeeds'],
      [identity('two-factor'), 'of twenty sign-ins with one recovery code at the same moment, one succeeds'],
    ],
  },
  {
    ids: '6.5.2',
    requirement: 'Recovery codes are hashed',
    shown: [
      [
        identity('two-factor-secrets'),
        'no secret of a second factor is readable in the database or in a log line',
      ],
    ],
  },
  {
    ids: '6.5.5',
    requirement: 'Codes and challenges end soon',
    shown: [
      [identity('two-factor'), 'a challenge is good for its browser and five minutes, once'],
      [
        identity('sign-in'),
        'a code that is a minute old, changed, or only looked at with HEAD opens nothing',
      ],
    ],
  },
  {
    ids: '6.8.1, 6.8.2',
    requirement: 'Who is vouched for is known by issuer and number, and signatures are checked',
    shown: [
      [
        identity('google'),
        'whoever is linked is known by their number there, whatever their address becomes',
      ],
      [identity('google-refusals'), '(control) what follows is refused for its one fault'],
    ],
  },
]

export const sessions: readonly Requirement[] = [
  {
    ids: '7.2.1–7.2.4',
    requirement: 'Sessions are checked by the server, are new at each sign-in and cannot be guessed',
    shown: [
      [identity('actor'), 'every request asks the database who it is from'],
      [identity('access-token'), 'a token changed by one character is refused, whichever it is'],
    ],
  },
  {
    ids: '7.3.1, 7.3.2',
    requirement: 'Sessions end when idle, and in any case',
    shown: [
      [identity('refresh'), 'a session that is not refreshed for a day ends'],
      [identity('refresh'), 'a session ends after thirty days, however busy it is'],
    ],
  },
  {
    ids: '7.4.1',
    requirement: 'Signing out ends the session',
    shown: [
      [
        identity('sign-in'),
        'signing out ends the session at once, for its access token and its refresh token',
      ],
    ],
  },
  {
    ids: '7.4.2, 7.4.3',
    requirement: 'A block, or another password, ends the other sessions',
    shown: [
      [
        identity('sign-in'),
        'a person who is blocked, or whose identity is disabled, is out at the very next request',
      ],
      [identity('password'), 'changing the password keeps this session and ends the others'],
    ],
  },
  {
    ids: '7.5.1',
    requirement: 'Changing how one signs in asks for a recent sign-in',
    shown: [
      [identity('password'), 'changing the password needs a recent sign-in'],
      [identity('email'), 'an address is changed only by whoever signed in recently'],
    ],
  },
  {
    ids: '7.5.2',
    requirement: 'One sees one’s sessions and ends them',
    shown: [
      [identity('security'), 'a person sees where they are signed in, this session first'],
      [identity('security'), 'a session that is ended is out at the very next request, on every replica'],
    ],
  },
]

export const access: readonly Requirement[] = [
  {
    ids: '8.2.1–8.2.3, 8.4.1',
    requirement: 'What one may do, with which row, with which field, of whose account',
    shown: [
      [whole('matrix'), 'the table says nothing of what there is not, and enough was asked'],
      [whole('leaks'), 'reads nothing hidden from %s'],
      [whole('guessing'), 'a guess at what is not read of a row is answered the same'],
    ],
  },
  {
    ids: '9.1.1–9.2.3',
    requirement: 'Tokens are checked: signature, kind, end',
    shown: [
      [identity('access-token'), 'a token without a signature is refused'],
      [identity('access-token'), 'a token ends after ten minutes, though its signature is remembered'],
    ],
  },
  {
    ids: '10.1.2, 10.2.1, 10.5.1, 10.5.4',
    requirement: 'Signing in elsewhere is bound by state, PKCE, nonce and audience',
    shown: [
      [identity('google'), 'the way there carries PKCE by S256, a state and a nonce, and binds the browser'],
      [identity('google-refusals'), 'what came back works in the browser that went'],
    ],
  },
  {
    ids: '10.4.5, 10.4.8',
    requirement: 'A refresh token that is used again ends its family',
    shown: [
      [identity('refresh'), 'later, a used token ends the session and its access tokens at once'],
      [identity('refresh'), 'a session ends after thirty days, however busy it is'],
    ],
  },
  {
    ids: '11.4.2, 11.5.1',
    requirement: 'Passwords are hashed as they should be, and secrets are random',
    shown: [[identity('secrets'), 'passwords are stored as argon2id with 19 MiB, two passes and one lane']],
  },
  {
    ids: '13.4.1–13.4.5, 15.2.3',
    requirement: 'No sources, listings, traces or insides are served',
    shown: [
      [http('web'), '%s asks for a file, which the document is not'],
      [http('errors'), 'TRACE is refused'],
      [http('health'), 'the metrics are for this machine and for trusted networks, and never pass a proxy'],
    ],
  },
  {
    ids: '14.2.1, 14.3.1–14.3.3',
    requirement: 'Nothing secret stands in addresses, caches or logs',
    shown: [
      [http('request-log'), 'no token, cookie or one-time secret reaches the log'],
      [
        http('compression'),
        'reads are kept by nobody but the reader, who asks again; the rest is kept by nobody',
      ],
    ],
  },
  {
    ids: '15.3.1, 15.3.3, 15.3.5–15.3.7, 16.2.5, 16.3.1–16.5.3',
    requirement:
      'Only fields that are meant; events are logged without secrets; failures are closed and say nothing',
    shown: [
      [engine('write'), 'a whole record may come back as it was read'],
      [identity('secrets'), 'no secret is readable in the database or in a log line'],
      [http('errors'), 'a bug (%s) names the request and nothing of the inside'],
      [asvs, 'every refusal of who asks has a line in the log'],
    ],
  },
]
