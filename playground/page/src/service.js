// The service worker: after the first load the page needs no network.

// The list and its version are written when the page is made.
const cache = `page ${VERSION}`;

self.addEventListener("install", (event) => {
  // All files are of this version, whatever the browser has of another one.
  const wanted = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(cache).then((store) => store.addAll(wanted)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith("page ") && name !== cache) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const store = await caches.open(cache);
    const kept = await store.match(event.request, { ignoreSearch: true });
    if (kept) return kept;
    const fresh = await fetch(event.request);
    // Libraries for platforms come with the first download for them.
    if (fresh.ok) await store.put(event.request, fresh.clone());
    return fresh;
  };
  event.respondWith(answer());
});
