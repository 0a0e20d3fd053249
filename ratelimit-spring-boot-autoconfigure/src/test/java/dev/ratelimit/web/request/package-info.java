@NullMarked
package dev.ratelimit.web.request;

import org.jspecify.annotations.NullMarked;
