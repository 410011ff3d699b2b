#!/usr/bin/env bash
# Builds the image galley:<version> from Debian's packages and this checkout, without a container registry:
#   deploy/oci/build.sh [package.tgz]
# Needs mmdebstrap, buildah, npm and a Chromium; run as root in a checkout that is set up. The package is packed here unless one is given.
set -euo pipefail
cd "$(dirname "$0")/../.."
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs}
suite=${GALLEY_IMAGE_SUITE:-trixie}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What is made below is read by another user in the image.
umask 022

# The least of Debian, a Chromium that it keeps patched, and a first process that reaps.
mmdebstrap --variant=minbase --aptopt='APT::Install-Recommends "false"' \
  --include=ca-certificates,chromium-headless-shell,fonts-noto-color-emoji,tini,tzdata \
  --customize-hook='useradd -R "$1" --system --uid 10001 --user-group --home-dir /var/lib/galley --shell /usr/sbin/nologin galley' \
  --customize-hook='install -d -m 0700 -o 10001 -g 10001 "$1/var/lib/galley"' \
  --customize-hook='rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/usr/share/doc/* "$1"/usr/share/man/*' \
  "$suite" "$work/root"

package=${1:-}
if [ -z "$package" ]; then
  npm pack --silent --pack-destination "$work" >/dev/null
  package=$(ls "$work"/galley-*.tgz)
fi
root=$work/root
npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$root/opt/galley" "$(realpath "$package")"
# Node itself, as the lock file has it.
install -m 0755 node_modules/node-linux-*/bin/node "$root/usr/local/bin/node"
ln -s /opt/galley/node_modules/galley/bin/galley.mjs "$root/usr/local/bin/galley"
version=$("$root/usr/local/bin/node" "$root/opt/galley/node_modules/galley/bin/galley.mjs" --version)

# Fonts are fetched and made ready now: a container whose root cannot be written to could not keep them. They know their
# own path, so that they are made where they will be; the rest of this machine does not see it.
install -d "$root/var/cache/galley"
printf '<p style="font-family: Arial">Hello</p>' > "$work/mail.html"
export work root
unshare --mount bash -euo pipefail -c '
  mkdir -p /var/cache/galley
  mount --bind "$root/var/cache/galley" /var/cache/galley
  GALLEY_CACHE_DIR=/var/cache/galley GALLEY_OPTIONAL_ENGINES=off "$root/usr/local/bin/node" \
    "$root/opt/galley/node_modules/galley/bin/galley.mjs" \
    preview "$work/mail.html" --clients gmail_chrome --out "$work/pictures" >/dev/null'
chmod -R a+rX "$root/var/cache/galley" "$root/opt/galley"

container=$(buildah from scratch)
# `buildah copy` would give everything to root.
cp -a "$root/." "$(buildah mount "$container")/"
buildah umount "$container" >/dev/null
buildah config \
  --user 10001:10001 --workingdir /var/lib/galley --volume /var/lib/galley \
  --env GALLEY_DATA_DIR=/var/lib/galley --env GALLEY_CACHE_DIR=/var/cache/galley --env GALLEY_HOST=0.0.0.0 \
  --env HOME=/tmp --env PATH=/usr/local/bin:/usr/bin:/bin \
  --port 8400 --port 2525 --port 2587 --port 2465 --stop-signal SIGTERM \
  --entrypoint '["tini", "--", "galley"]' --cmd start \
  --label org.opencontainers.image.title=Galley --label org.opencontainers.image.version="$version" \
  "$container"
buildah commit --quiet --rm "$container" "galley:$version" >/dev/null
buildah tag "galley:$version" galley:latest
echo "galley:$version is built."
