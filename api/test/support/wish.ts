/** A whole number that whoever runs the tests may set in the environment. */
export const wish = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
