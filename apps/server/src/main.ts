// Services installed by earlier versions start this file.
import './main.mjs'
