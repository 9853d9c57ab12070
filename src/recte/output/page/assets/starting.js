// The sentences are unpacked once the rest of the page stands.

unpacked("explorer-data").then((unpackedData) => {
  data = unpackedData;
  startExplorer();
  startLeaderboard();
  document.documentElement.dataset.ready = "yes";
}).catch((error) => {
  at("found").textContent = `The sentences cannot be shown: this browser cannot unpack them (${error.message}).`;
});
