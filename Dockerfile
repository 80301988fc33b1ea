# The hub. Build it with the program for each platform beside this file: docs/releasing.md
FROM --platform=$BUILDPLATFORM busybox:stable AS folders
RUN mkdir /store

FROM gcr.io/distroless/static-debian12:nonroot
ARG TARGETARCH
COPY --chmod=755 linux-${TARGETARCH}/followup /usr/local/bin/followup
COPY linux-${TARGETARCH}/LICENSE linux-${TARGETARCH}/NOTICES.txt /usr/share/doc/followup/
# Where the store is a folder; FOLLOWUP_STORAGE may name a database instead. A new volume takes the folder's owner.
COPY --from=folders --chown=nonroot:nonroot --chmod=700 /store /var/lib/followup-hub
VOLUME /var/lib/followup-hub
ENV FOLLOWUP_STORAGE=/var/lib/followup-hub
EXPOSE 7443
ENTRYPOINT ["/usr/local/bin/followup"]
CMD ["hub", "--listen", ":7443"]
