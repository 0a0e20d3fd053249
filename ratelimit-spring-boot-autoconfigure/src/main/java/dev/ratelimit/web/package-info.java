/**
 * Stack-neutral HTTP: matching, subjects, headers, refusal.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
