package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.WaitingThreads;

/**
 * Internal: what keeps threads of the server, each up to a bound.
 *
 * @param waiting where requests wait that a limit holds
 * @param forms reads forms
 */
record ServletThreads(WaitingThreads waiting, ServletForms forms) {

}
