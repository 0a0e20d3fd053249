/**
 * Internal: the adapter for GraphQL: each operation is evaluated once, between its
 * validation and its execution. Entered by the provider of documents.
 */
@NullMarked
package dev.ratelimit.web.graphql;

import org.jspecify.annotations.NullMarked;
