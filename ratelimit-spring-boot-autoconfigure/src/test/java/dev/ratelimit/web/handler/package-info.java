@NullMarked
package dev.ratelimit.web.handler;

import org.jspecify.annotations.NullMarked;
