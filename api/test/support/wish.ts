/** A whole number from the environment of the test run. */
export const wish = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
