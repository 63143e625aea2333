// Runs at the end of `npm ci`: builds the browser app, so that the first `npm start` is as quick as any other. Whatever
// keeps it from building (an older Node, an install without the tools) is said by the start, which builds when it must.
const [major] = process.versions.node.split('.')

if (Number(major) >= 24) {
  const { ensureWebBuilt } = await import('./src/web-build.ts')
  await ensureWebBuilt(console.log, new AbortController().signal).catch((error) =>
    console.error(error.message),
  )
}
