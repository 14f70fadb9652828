mod attacks;
mod checker;
mod hostile;
mod images;
mod properties;
mod rules;
mod shapes;
