/**
 * Routes of Spring Cloud Gateway that reference rules.
 */
@NullMarked
package dev.ratelimit.web.gateway;

import org.jspecify.annotations.NullMarked;
