/**
 * Stack-neutral HTTP: matching, subjects, headers, rejection.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
