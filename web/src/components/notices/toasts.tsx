import { dismissToast, useToasts } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './toasts.module.css'

/** An icon: the button has a label. */
const cross = '×'

/** Short confirmations of the last actions. */
export function Toasts() {
  const toasts = useToasts()
  return (
    <div className={classes.region} role="status" aria-label={m.messages()}>
      {toasts.map(({ id, title, text, tone }) => (
        <div key={id} className={`${classes.toast} ${tone === 'bad' ? classes.bad : ''}`}>
          <div>
            <strong>{title}</strong>
            {text && <span>{text}</span>}
          </div>
          <button
            type="button"
            className={classes.close}
            aria-label={m.close()}
            onClick={() => dismissToast(id)}
          >
            {cross}
          </button>
        </div>
      ))}
    </div>
  )
}
