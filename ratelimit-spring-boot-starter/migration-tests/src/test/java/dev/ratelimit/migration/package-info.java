/**
 * Tests of the examples in {@code docs/migration.md}.
 */
package dev.ratelimit.migration;
