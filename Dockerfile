# The panel: Node runs the server's sources as they are; of the web app only what Vite made of it.
# The folders stay where they are in the repository, with npm's links to them: Node strips no types
# below node_modules.

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/data-folder/package.json packages/data-folder/
COPY packages/line-files/package.json packages/line-files/
COPY packages/oscam/package.json packages/oscam/
COPY packages/settings-file/package.json packages/settings-file/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY apps/agent/package.json apps/agent/

FROM manifests AS web
RUN npm ci --ignore-scripts
COPY tsconfig.base.json ./
COPY packages/contract packages/contract
COPY packages/line-files packages/line-files
COPY packages/oscam packages/oscam
COPY packages/settings-file packages/settings-file
COPY apps/web apps/web
COPY apps/agent apps/agent
RUN for app in web agent; do \
    (cd apps/$app && NODE_ENV=production node ../../node_modules/vite/bin/vite.js build --logLevel warn) || exit 1; \
  done

# Without the optional packages: they are a Node, which this image has, and tools of the web app.
FROM manifests AS packages
RUN npm ci --ignore-scripts --omit=dev --omit=optional --workspace=@linekeeper/server

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Keeps the panel's memory small; see docs/how-to/install.md.
ENV NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=512" \
  MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_MMAP_THRESHOLD_=65536
WORKDIR /app
COPY --from=packages /app ./
COPY packages/contract packages/contract
COPY packages/data-folder packages/data-folder
COPY packages/line-files packages/line-files
COPY packages/oscam packages/oscam
COPY packages/settings-file packages/settings-file
COPY apps/server apps/server
COPY docs/reference/api.md docs/reference/
COPY --from=web /app/apps/web/dist apps/web/dist
# What the panel serves to card servers: the agent, the script that installs it, and this Node.
COPY --from=web /app/apps/agent/dist apps/agent/dist
RUN mkdir /data /backups && chown node:node /data /backups
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/commands/main.ts"]
