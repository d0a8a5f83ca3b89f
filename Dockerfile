# The panel, from the folder of an unpacked release: docker build --tag linekeeper . Node strips no types below
# node_modules, so the folders stay where they are in the release.
ARG BASE=debian:trixie-slim
FROM ${BASE}
ENV PATH=/app/bin:$PATH NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Keeps the panel's memory small; see docs/how-to/install.md.
ENV NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=512" \
  MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_MMAP_THRESHOLD_=65536
WORKDIR /app
COPY . ./
RUN install -d -m 700 -o 1000 -g 1000 /data /backups
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/commands/main.ts"]
