export const tokenSecret = 'a token secret that only tests have'
