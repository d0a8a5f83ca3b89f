# The agent beside a card server, from the folder of an unpacked release:
#   docker build --file deploy/agent.Dockerfile --tag linekeeper-agent .
# The folder that contains oscam.user or CCcam.cfg is mounted at /agent, and --user names its owner.
ARG BASE=debian:trixie-slim
FROM ${BASE}
ENV PATH=/app:$PATH NODE_ENV=production AGENT_HOST=0.0.0.0 AGENT_PORT=3000 AGENT_DIR=/agent
WORKDIR /app
COPY bin/node apps/agent/dist/linekeeper-agent.mjs LICENSES ./
USER 1000:1000
VOLUME /agent
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.AGENT_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "linekeeper-agent.mjs"]
