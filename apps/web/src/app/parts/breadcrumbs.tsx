import { useTranslation } from 'react-i18next'
import { generatePath, Link, useParams } from 'react-router'
import { titleText, useOwnTitle, usePage } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import classes from './header.module.css'

export function Breadcrumbs() {
  const { t } = useTranslation(['titles', 'navigation'])
  const page = usePage()
  const params = useParams()
  const own = useOwnTitle()
  const wayBack = useWayBack()
  if (!page) return <span />
  // The parent records replace every crumb after the list.
  const list = page.breadcrumbs.findLastIndex(({ path }) => path && !path.includes(':'))
  const steps = own.above.length > 0 ? page.breadcrumbs.slice(0, list + 1) : page.breadcrumbs
  return (
    <nav aria-label={t('navigation:breadcrumbs')} className={classes.crumbs}>
      <ol>
        {steps.map((crumb) => (
          <li key={`${titleText(t, crumb)}-${crumb.path}`}>
            {crumb.path ? (
              <Link {...wayBack(generatePath(crumb.path, params))}>{titleText(t, crumb)}</Link>
            ) : (
              <span className={classes.quiet}>{titleText(t, crumb)}</span>
            )}
          </li>
        ))}
        {own.above.map(({ title, path }) => (
          <li key={path}>
            <Link {...wayBack(path)}>{title}</Link>
          </li>
        ))}
        <li aria-current="page">
          <span>{own.title ?? titleText(t, page)}</span>
        </li>
      </ol>
    </nav>
  )
}
