import { pages } from './pages.ts'
import { staffPages } from './staff-pages.ts'

export const allPages = [...pages, ...staffPages]
