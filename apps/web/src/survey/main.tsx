/** @jsxImportSource preact */
import './page.css'
import { render } from 'preact'
import { followTheme, readBranding } from './surroundings.ts'
import { SurveyPage } from './survey-page.tsx'

followTheme()
const slug = decodeURIComponent(location.pathname.split('/')[2] ?? '').toLowerCase()
render(<SurveyPage slug={slug} branding={readBranding()} />, document.getElementById('survey')!)
