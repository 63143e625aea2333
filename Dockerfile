# The portal without a database of its own: give it DATABASE_URL (compose.yaml shows how).
# It writes nothing but its log, so the file system may be read-only, and it needs no root.

FROM node:24-slim AS manifests
WORKDIR /portico
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY api/package.json api/
COPY web/package.json web/

FROM manifests AS build
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contract contract
COPY web web
RUN npm run build -w web

# Only what the server itself needs: neither tools nor the browser's packages, which are in the build already, nor the
# PostgreSQL and the Node that a checkout brings along.
FROM manifests AS dependencies
RUN npm ci --no-audit --no-fund --ignore-scripts --omit=dev --workspace=@portico/api

FROM node:24-slim
WORKDIR /portico
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=dependencies /portico/node_modules node_modules
COPY package.json ./
COPY contract contract
COPY api api
COPY engines/check engines/check
COPY engines/example/signature.ts engines/example/
COPY --from=build /portico/web/dist web/dist
# The files of tickets and documents: the one place that is written to. Without a bucket all replicas share it.
RUN mkdir --mode=700 /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As `npm start` does.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "api/start.mjs"]
