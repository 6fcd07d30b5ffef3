# An image with rehearse, from the packages that scripts/release wrote:
#
#   docker build --file Dockerfile --tag rehearse .build/packages
#   docker run --rm --volume "$PWD:/data" rehearse test
FROM debian:bookworm-slim
WORKDIR /tmp
COPY SHA256SUMS rehearse_*_amd64.deb ./
RUN sha256sum --check --ignore-missing SHA256SUMS && dpkg --install rehearse_*_amd64.deb && \
  rm SHA256SUMS rehearse_*_amd64.deb
WORKDIR /data
ENTRYPOINT ["rehearse"]
