// The calculator of the public pages without loading them again: fetches the page that the form asks for and puts its
// result in place of the old one. Without this script, or if the fetch fails, the form's button does the same.
document.addEventListener('change', async ({ target }) => {
  const form = target.closest?.('form[data-refresh]')
  if (!form || !document.getElementById(form.dataset.refresh)) return
  // Other classes, levels and waves change the form itself.
  if (target.name === 'wave' || target.name === 'entry') return form.submit()
  const address = new URL(form.action)
  address.search = new URLSearchParams(new FormData(form))
  form.dataset.asked = address.search
  try {
    const answer = await fetch(address)
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // A later choice has been asked for meanwhile.
    if (form.dataset.asked !== address.search) return
    // The intake has ended meanwhile: the whole page says so.
    if (!page.getElementById(form.dataset.refresh)) return form.submit()
    for (const id of [form.dataset.refresh, 'ajakan', 'bahasa', 'berkas', 'tes', 'jadwal', 'tanya']) {
      const fresh = page.getElementById(id)
      // Null would be written as the word.
      if (fresh) document.getElementById(id)?.replaceWith(fresh)
    }
    history.replaceState(history.state, '', address.pathname + address.search)
  } catch {
    // The button is still there.
  }
})
