/**
 * The client's half: sends refused requests again when the server says so, and holds back
 * what it would refuse.
 */
@NullMarked
package dev.ratelimit.client;

import org.jspecify.annotations.NullMarked;
