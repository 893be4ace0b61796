FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --no-save --no-audit --no-fund
COPY . .
RUN node node_modules/vite/bin/vite.js build && node -e "import('./apps/server/src/bundle.mjs').then(({ bundleServer }) => bundleServer())" && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production PMB_DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=node:node /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "apps/server/src/main.mjs"]
