// Before anything is drawn: the theme chosen earlier, so that nothing flashes.
try {
  const prefs = JSON.parse(localStorage.getItem("sooee.prefs") ?? "{}");
  if (prefs.theme === "light" || prefs.theme === "dark") {
    document.documentElement.dataset.theme = prefs.theme;
  }
} catch {
  // storage switched off, or not ours: the system's theme
}
