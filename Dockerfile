# Builds an image of Linksieve that runs as the user `node` and writes only to /data and /tmp.
# docs/operations.md describes how to run it.
FROM node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci
COPY . .
RUN npm run build

FROM base AS files
RUN npm ci --omit=dev
COPY . .
COPY --from=build /app/dist dist
# With a cached build, the pages could be older than their sources, and the start would build them again.
RUN touch dist/index.html && node scripts/link-postgres.ts

FROM node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e
WORKDIR /app
COPY --from=files /app .
RUN mkdir /data && chown node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/node-compile-cache
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s --interval=15s \
  CMD node -e "fetch('http://127.0.0.1:3000/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "--import", "./scripts/require-node.js", "server/main.ts"]
