import { useTranslation } from 'react-i18next'
import { generatePath, Link, useParams } from 'react-router'
import { titleText, useOwnTitle, useScreen } from '../title.tsx'
import classes from './header.module.css'

export function Breadcrumbs() {
  const { t } = useTranslation(['titles', 'navigation'])
  const screen = useScreen()
  const params = useParams()
  const own = useOwnTitle()
  if (!screen) return <span />
  return (
    <nav aria-label={t('navigation:breadcrumbs')} className={classes.crumbs}>
      <ol>
        {screen.breadcrumbs.map((crumb) => (
          <li key={`${crumb.title}-${crumb.path}`}>
            {crumb.path ? (
              <Link to={generatePath(crumb.path, params)}>{titleText(t, crumb)}</Link>
            ) : (
              <span className={classes.quiet}>{titleText(t, crumb)}</span>
            )}
          </li>
        ))}
        <li aria-current="page">
          <span>{own ?? titleText(t, screen)}</span>
        </li>
      </ol>
    </nav>
  )
}
