/**
 * Internal: the servlet adapter. May use the web and the responses. Entered by its
 * filters.
 */
@NullMarked
package dev.ratelimit.web.servlet;

import org.jspecify.annotations.NullMarked;
