/**
 * Tests of waiting requests in an application with JPA and security.
 */
@NullMarked
package com.example.waiting;

import org.jspecify.annotations.NullMarked;
