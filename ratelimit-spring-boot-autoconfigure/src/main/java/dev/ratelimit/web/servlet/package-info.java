/**
 * Internal: the servlet adapter, from its filters to its auto-configuration. May use the
 * web, the responses, and their wiring. Entered by Spring Boot, and by the other fronts
 * of its stack.
 */
@NullMarked
package dev.ratelimit.web.servlet;

import org.jspecify.annotations.NullMarked;
