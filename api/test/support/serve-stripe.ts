// The server that speaks as Stripe does, as a process, for the browser tests, which know nothing of the server's sources. Prints
// what a portal is set up with to use it, does what each line of its input says, and ends when its input does.
import { createInterface } from 'node:readline'
import { StripeServer, stripeSettings } from './stripe.ts'

const stripe = new StripeServer()
const say = (what: unknown) => process.stdout.write(`${JSON.stringify(what)}\n`)
say(stripeSettings(await stripe.listen()))
for await (const line of createInterface({ input: process.stdin })) {
  const { secret, happens } = JSON.parse(line)
  const thing = [...stripe.things.values()].find(({ client_secret }) => client_secret === secret)
  if (thing && happens === 'typed') stripe.fillIn(thing.id, 'sca')
  if (thing && happens === 'confirmed') stripe.decide(thing.id, 'succeeded')
  say(thing ?? null)
}
stripe.close()
