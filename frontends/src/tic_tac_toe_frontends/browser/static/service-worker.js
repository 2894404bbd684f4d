// Caches the whole page, so that it works without a network.
"use strict";

// The build replaces this with its version, and its files with their digests.
const BUILD = { version: "none", files: {} };

// Other pages may have the same origin: the scope tells their caches apart.
const OURS = `tic-tac-toe ${self.registration.scope} `;
const CACHE = OURS + BUILD.version;

const urlOf = (path) => new URL(path, self.registration.scope).href;

// The digest of each file must be that of this build: a half updated site installs nothing.
const fetchAll = async () => {
  const cache = await caches.open(CACHE);
  const paths = Object.entries(BUILD.files);
  await Promise.all(
    paths.map(async ([path, integrity]) => {
      const request = new Request(urlOf(path), { cache: "no-cache", integrity });
      const response = await fetch(request);
      if (!response.ok) throw new Error(`${response.status} ${path}`);
      await cache.put(urlOf(path), response);
    }),
  );
};

const deleteOthers = async () => {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
};

// The server's last answer about online play, while it cannot be reached.
const ONLINE = urlOf("online.json");
const answerOnline = async (request) => {
  const cache = await caches.open(CACHE);
  const response = await fetch(request).catch(() => null);
  if (!response?.ok) return (await cache.match(ONLINE)) ?? response ?? Response.json({});
  await cache.put(ONLINE, response.clone());
  return response;
};

const START = urlOf("./");
const KEPT = new Set([START, ONLINE, ...Object.keys(BUILD.files).map(urlOf)]);
const answer = async (request, path) => {
  if (path === ONLINE) return answerOnline(request);
  const cache = await caches.open(CACHE);
  return (await cache.match(path === START ? urlOf("index.html") : path)) ?? fetch(request);
};

self.addEventListener("install", (event) => event.waitUntil(fetchAll()));
self.addEventListener("activate", (event) =>
  event.waitUntil(deleteOthers().then(() => self.clients.claim())),
);
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = request.url.replace(/[?#].*/, "");
  if (request.method === "GET" && KEPT.has(path)) event.respondWith(answer(request, path));
});
