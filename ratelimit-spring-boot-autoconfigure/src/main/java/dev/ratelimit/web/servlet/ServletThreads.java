package dev.ratelimit.web.servlet;

import dev.ratelimit.gate.WaitingThreads;

/**
 * Internal: the bounded uses of threads of the server.
 *
 * @param waiting the threads of requests that a limit holds
 * @param forms reads forms
 */
record ServletThreads(WaitingThreads waiting, ServletForms forms) {

}
