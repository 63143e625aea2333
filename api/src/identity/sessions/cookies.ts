import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { type IdentityConfig, lifetimes } from '#identity/config.ts'
import type { Opened } from './sessions.ts'

/** The cookies of sign-in, set and cleared in one place so that their attributes match. */
export class Cookies {
  readonly #shared: CookieSerializeOptions
  readonly #signIn: CookieSerializeOptions

  constructor({ secureCookies, cookieDomain }: IdentityConfig) {
    const common = { sameSite: 'lax', secure: secureCookies } as const
    this.#shared = { ...common, path: '/', ...(cookieDomain !== undefined && { domain: cookieDomain }) }
    this.#signIn = { ...common, path: '/auth', httpOnly: true }
  }

  /** Binds the code of a sign-in to this browser. */
  bind(reply: FastifyReply, binding: string): void {
    reply.setCookie('login_tx', binding, { ...this.#signIn, maxAge: lifetimes.signInCookie / 1000 })
  }

  unbind(reply: FastifyReply): void {
    reply.clearCookie('login_tx', this.#signIn)
  }

  /** Binds a return from Google to the browser that left for it. */
  bindExternalSignIn(reply: FastifyReply, binding: string): void {
    reply.setCookie('g_tx', binding, { ...this.#signIn, maxAge: lifetimes.elsewhere / 1000 })
  }

  unbindElsewhere(reply: FastifyReply): void {
    reply.clearCookie('g_tx', this.#signIn)
  }

  /** Lets the registering tab learn that its e-mail was confirmed, in any browser. */
  bindRegistration(reply: FastifyReply, registration: string): void {
    reply.setCookie('register_tx', registration, { ...this.#signIn, maxAge: lifetimes.registration / 1000 })
  }

  unbindRegistration(reply: FastifyReply): void {
    reply.clearCookie('register_tx', this.#signIn)
  }

  /**
   * Scripts read `token` to build the bearer header; it lives as long as the idle timeout of the session,
   * because the browser app would otherwise sign people out early.
   */
  open(reply: FastifyReply, accessToken: string, { refreshToken, device }: Opened): void {
    const maxAge = lifetimes.idle / 1000
    reply.setCookie('token', accessToken, { ...this.#shared, maxAge })
    reply.setCookie('refreshToken', refreshToken, { ...this.#shared, maxAge, httpOnly: true })
    if (device !== undefined) this.recognise(reply, device)
  }

  /**
   * Marks the browser as known, so that wrong passwords of others do not count against it. Outlives the
   * session.
   */
  recognise(reply: FastifyReply, device: string): void {
    reply.setCookie('device', device, { ...this.#signIn, maxAge: lifetimes.device / 1000 })
  }

  close(reply: FastifyReply): void {
    reply.clearCookie('token', this.#shared)
    reply.clearCookie('refreshToken', { ...this.#shared, httpOnly: true })
  }
}
