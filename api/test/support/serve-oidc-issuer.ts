// The issuer as a process, for the browser tests, which know nothing of the server's sources. Prints where it is, and ends
// when its input does: with its parent process.
import { startIssuer } from './oidc-issuer.ts'

const issuer = await startIssuer()
const { url, clientId, clientSecret } = issuer
process.stdout.write(`${JSON.stringify({ url, clientId, clientSecret })}\n`)
process.stdin.on('end', () => void issuer.stop().then(() => process.exit())).resume()
