import './page.css'
import { keepPage } from '#web/offline/keep-page.ts'
import { openPage } from './open-page.ts'
import { followTheme } from './surroundings.ts'

followTheme()
const slug = decodeURIComponent(location.pathname.split('/')[2] ?? '').toLowerCase()
void openPage(document.getElementById('survey')!, slug).then(() =>
  keepPage('/survei/', 'offline-surveys').catch(() => {
    // If the page cannot be stored, it opens only online; finished answers are kept all the same.
  }),
)
